// Package schema describes click logs in HCL. A Schema names the label, the dense and the
// categorical columns of a log, and how they become the label, the features and the ids of an
// input. Package record reads the columns.
//
// Names lists the schemas of public logs in this package: criteo, avazu, taobao, and trace for
// Meta's embedding traces. Any other schema is a file.
//
// A schema is checked when it is loaded: an error has its file and line. An error in a log has the
// file, the line or record, the column, the value that was found, and the expected value.
package schema
