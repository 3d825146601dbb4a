package gen

import (
	"strings"

	"github.com/hotline-rtl/hotline/host/dlrm/data/profile"
)

// sampleParts lists the fractions of the read rows for which samples contain the share of served
// inputs. Larger fractions include rows that were read once, and the choice among these would be
// arbitrary.
var sampleParts = []float64{0.02, 0.05, 0.1, 0.2}

// criteoSample contains statistics of 8,000 rows of the Criteo Kaggle log, in percent. The first
// are the shares of the inputs that the hottest parts of the rows serve. The others are the shares
// of the accesses to each table that its hottest 2 % and 10 % of rows get.
var criteoSample = sample(8000, "8,000 rows of the Criteo Kaggle log", []float64{1.1, 4.1, 9.4, 20.2}, numbered(26), [][2]float64{
	{75.6, 94.0}, {36.7, 69.3}, {34.5, 47.6}, {41.4, 57.0}, {66.8, 94.0}, {45.7, 45.7}, {22.1, 46.1}, {75.9, 94.4}, {88.7, 88.7},
	{42.9, 59.1}, {24.6, 50.8}, {36.0, 49.3}, {25.8, 52.5}, {36.1, 70.6}, {25.8, 55.6}, {37.9, 52.8}, {43.0, 43.0}, {33.8, 65.8},
	{84.2, 90.6}, {45.3, 45.3}, {37.1, 51.0}, {81.7, 81.7}, {44.7, 44.7}, {54.0, 68.9}, {45.3, 80.1}, {66.2, 76.5},
})

// avazuSample contains the same statistics of 9,000 rows of the Avazu log.
var avazuSample = sample(9000, "9,000 rows of the Avazu log", []float64{0.5, 6.8, 13.4, 27.0}, avazuColumns, [][2]float64{
	{92.6, 92.6}, {80.4, 80.4}, {74.1, 88.0}, {74.6, 88.7}, {38.4, 38.4}, {85.6, 93.3}, {83.0, 92.4}, {78.8, 78.8}, {88.4, 90.3},
	{15.2, 29.9}, {41.9, 70.4}, {92.8, 92.8}, {90.6, 90.6}, {27.4, 78.9}, {95.3, 95.3}, {95.7, 95.7}, {52.7, 80.6}, {69.6, 69.6},
	{56.6, 82.1}, {74.2, 88.8}, {39.2, 70.2},
})

var avazuColumns = strings.Split("C1,banner_pos,site_id,site_domain,site_category,app_id,app_domain,app_category,device_id,device_ip,"+
	"device_model,device_type,device_conn_type,C14,C15,C16,C17,C18,C19,C20,C21", ",")

func sample(inputs int64, source string, popular []float64, tables []string, shares [][2]float64) Sample {
	s := Sample{Inputs: inputs}
	for i, part := range sampleParts {
		t := profile.Target{Kind: profile.Popular, Rows: part, OfRead: true, Value: popular[i] / 100, Source: source, Inputs: inputs}
		s.Targets = append(s.Targets, t)
	}
	for i, table := range tables {
		for j, part := range []float64{0.02, 0.1} {
			t := profile.Target{Kind: profile.Accesses, Rows: part, OfRead: true, Value: shares[i][j] / 100, Source: source, Inputs: inputs}
			t.Table = table
			s.Targets = append(s.Targets, t)
		}
	}
	return s
}
