// Package dlrm implements the recommendation models that the training systems share, with
// sum-pooled embedding bags, in float32. One model is a DLRM (Naumov et al., arXiv 1906.00091). The
// other is a TBSM (Ishkhanov et al., arXiv 2008.11922), which runs a DLRM for each time step of an
// input and combines them with an attention layer. Losses are binary cross-entropy and squared
// error. Optimisers are SGD, with or without momentum, Adagrad, row-wise Adagrad and Adam. Preset returns the models of the papers.
//
// The package does not depend on CPUs, GPUs or the accelerator. A training system owns the
// embedding rows and their optimiser state, and decides where each input is computed.
//
// # The numerical rule
//
// Two systems that train on the same mini-batches produce the same bits in every parameter. The
// result does not depend on how a system divides a mini-batch (popular and non-popular inputs, 1 to
// 4 GPUs, any order), because of these rules:
//
//   - Every sum inside one input is float32, in index order, on one device. This covers the dot
//     products of the forward pass, the gradients that flow back through a layer, the interaction,
//     and the pooling of rows. Products are rounded before they are added (package kernel).
//   - Every sum over the inputs of a mini-batch is exact: gradients of weights, biases and rows, and
//     the loss. It is an exact.Sum, whose result depends neither on order nor on division; its
//     package comment states the rule. It is rounded to float32 once, after the last Merge.
//   - An update is w + float32(-lr*step): one float32 multiplication and one float32 addition, like
//     the accelerator's v_mul and v_add (UpdateRow). The step of SGD at a constant rate is the
//     gradient. The steps of all other optimisers are computed from gradient and state by the owner
//     of the state, with each operation rounded (type Update). A mini-batch of n inputs makes one
//     update. Each input's gradient has the factor 1/n of the whole mini-batch, not of its part.
//   - No compiler may fuse a product into the following addition, because explicit conversions
//     prevent it. Exponentials and logarithms are from package detmath.
//
// If a gradient is infinite or NaN, Apply or Round returns an error, the same error in every
// system. No parameter has changed then. Training continues until such an error, however large the
// numbers become.
//
// # Division of labour
//
// Net contains only the dense parameters. Worker runs a part of a mini-batch. Its inputs are dense
// features and pooled vectors. Its outputs are probabilities and the gradients of the pooled
// vectors; it adds weight gradients to a Gradients. RowGrads coalesces the row gradients. InitRow
// generates any embedding row on demand. After a mini-batch, the owner of a row calls
//
//	model.Update(m).Row(state, grad)
//	dlrm.UpdateRow(row, grad, -model.LearningRate)
//
// for each row that mini-batch m has read. Net.Apply does the same for the dense parameters.
//
// Many Workers may read a Net concurrently. A Worker, Gradients or RowGrads must be used by only
// one goroutine.
package dlrm
