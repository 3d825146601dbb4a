package dlrm

import (
	"fmt"
	"math"
)

// Presets returns the models of the papers. They are the models of Table II of the Hotline paper
// (rm1 to rm4), and the synthetic models of its Section VII-F4. Comments distinguish published
// values from assumptions.
func Presets() []Config {
	return []Config{rm1(), rm2(), rm3(), rm4(), synthetic("syn-m1", 102, 196), synthetic("syn-m2", 204, 390)}
}

// Preset returns the preset with a name, and whether it exists.
func Preset(name string) (c Config, ok bool) {
	for _, c := range Presets() {
		if c.Name == name {
			return c, true
		}
	}
	return Config{}, false
}

// rm1 returns the TBSM for Taobao's user behaviour, as in facebookresearch/tbsm: 20 items of
// history and a candidate. Rows, widths, optimiser and learning rate are published there.
func rm1() Config {
	return Config{
		Name: "rm1", Kind: TBSM, Steps: 21, Dense: 1, Dim: 16,
		Tables: []Table{{"user", 987_994, 1}, {"item", 4_162_024, 1}, {"category", 9_439, 1}},
		Bottom: []int{1, 16}, Top: []int{15, 15}, Attention: []int{15, 15, 20}, Head: []int{60, 1},
		Optimiser: Adagrad, LearningRate: 0.05,
	}
}

// rm2 returns the DLRM for the Criteo Kaggle log. The rows are the rows that the DLRM reference
// finds in the log (33.8M). The learning rate is from its benchmark.
func rm2() Config {
	return Config{
		Name: "rm2", Dense: 13, Dim: 16, Bottom: []int{13, 512, 256, 64, 16}, Top: []int{512, 256, 1}, LearningRate: 0.1,
		Tables: columns(1_460, 583, 10_131_227, 2_202_608, 305, 24, 12_517, 633, 3, 93_145, 5_683, 8_351_593, 3_194, 27, 14_992,
			5_461_306, 10, 5_652, 2_173, 4, 7_046_547, 18, 15, 286_181, 105, 142_572),
	}
}

// rm3 returns the DLRM for the Criteo Terabyte log. Published values are 266M rows in total, the
// widths, and the DLRM benchmark's learning rate. The rows of each table are from MLPerf's list,
// which limits tables to 40M rows. Five tables reach that limit. One of them, here C21, has
// 40,790,948 rows without the limit. It is an assumption that the other four share the rest of the
// 266M rows equally.
func rm3() Config {
	return Config{
		Name: "rm3", Dense: 13, Dim: 64, Bottom: []int{13, 512, 256, 64}, Top: []int{512, 512, 256, 1}, LearningRate: 0.1,
		Tables: columns(55_256_116, 39_060, 17_295, 7_424, 20_265, 3, 7_122, 1_543, 63, 55_256_116, 3_067_956, 405_282, 10, 2_209,
			11_938, 155, 4, 976, 14, 55_256_116, 40_790_948, 55_256_116, 590_152, 12_973, 108, 36),
	}
}

// columns returns tables with Criteo's column names and one lookup each.
func columns(rows ...int) []Table {
	var tables []Table
	for i, n := range rows {
		tables = append(tables, Table{fmt.Sprintf("C%d", i+1), n, 1})
	}
	return tables
}

// rm4 returns the DLRM for Avazu's log. Published values are 21 tables with 9.3M rows in total, and
// the widths. EL-Rec publishes the rows of 20 of the tables, 8,930,581 in total. EL-Rec does not
// use banner_pos, which is assumed to have 7 rows. The largest table, device_ip, is assumed to have
// the rest of the 9.3M rows. The learning rate is assumed to be the learning rate of the other
// models.
func rm4() Config {
	return Config{
		Name: "rm4", Dense: 1, Dim: 16, Bottom: []int{1, 512, 256, 64, 16}, Top: []int{512, 256, 1}, LearningRate: 0.1,
		Tables: []Table{
			{"C1", 8, 1}, {"banner_pos", 7, 1}, {"site_id", 4_680, 1}, {"site_domain", 7_567, 1}, {"site_category", 27, 1},
			{"app_id", 8_380, 1}, {"app_domain", 550, 1}, {"app_category", 36, 1}, {"device_id", 2_512_738, 1},
			{"device_ip", 6_754_449, 1}, {"device_model", 8_165, 1}, {"device_type", 6, 1}, {"device_conn_type", 5, 1},
			{"C14", 2_621, 1}, {"C15", 9, 1}, {"C16", 10, 1}, {"C17", 434, 1}, {"C18", 5, 1}, {"C19", 69, 1}, {"C20", 173, 1}, {"C21", 61, 1},
		},
	}
}

// synthetic returns a model with a published number of tables and size. It is also published that
// inputs read several rows of a table. The dimension, the MLPs and the tables are assumptions: they
// are taken from rm3, with tables repeated as often as needed and scaled to the size. The lookups
// are also an assumption: two in every fourth table, the maximum that the accelerator supports per
// input of syn-m2.
func synthetic(name string, tables, gigabytes int) Config {
	c := rm3()
	like := c.Tables
	c.Name, c.Tables = name, nil
	total := 0
	for i := range tables {
		total += like[i%len(like)].Rows
	}
	scale := float64(gigabytes) * (1 << 30) / float64(4*c.Dim) / float64(total)
	for i := range tables {
		rows := int(math.Round(scale * float64(like[i%len(like)].Rows)))
		c.Tables = append(c.Tables, Table{fmt.Sprintf("T%d", i+1), rows, 1 + i%4/3})
	}
	return c
}
