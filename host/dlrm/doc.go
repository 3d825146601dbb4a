// Package dlrm holds the recommendation models that the training systems share, with sum-pooled embedding bags, in float32: a DLRM
// (Naumov et al., arXiv 1906.00091), and a TBSM (Ishkhanov et al., arXiv 2008.11922), which runs a DLRM for each time step of an
// input and puts an attention layer over them. Losses are binary cross-entropy and squared error, optimisers SGD and Adagrad.
// Preset gives the models of the papers.
//
// The package knows nothing of CPUs, GPUs or the accelerator; a training system owns the embedding rows, with what the optimiser
// keeps of each, and decides where each input is computed.
//
// # The numerical rule
//
// Two systems that train on the same mini-batches end with the same bits in every parameter, however each of them divides a
// mini-batch (popular and non-popular inputs, 1 to 4 GPUs, any order), because
//
//   - every sum inside one input is float32, in index order, on one device: the dot products of the forward pass, the
//     gradients that flow back through a layer, the interaction, the pooling of rows. Products are rounded before they are added
//     (package kernel);
//   - every sum over the inputs of a mini-batch is exact: gradients of weights, biases and rows, and the loss. It is an
//     exact.Sum (its package comment states the rule), whose result depends on neither order nor division. It is rounded to float32
//     once, after the last Merge;
//   - an update is w + float32(-lr*step): one float32 multiplication, one float32 addition, as the accelerator's v_mul and v_add
//     do it (UpdateRow). The step of SGD is the gradient; that of Adagrad is made of gradient and state where the state is, each
//     operation rounded (Optimiser.Step). A mini-batch of n inputs makes one update; each input's gradient carries the factor 1/n of
//     the whole mini-batch, not of the part that it was put in;
//   - no compiler may fuse a product into the following addition, as conversions between them forbid it, and exponentials and
//     logarithms come from package detmath.
//
// A gradient that is infinite or not a number is an error of Apply or Round, the same error in every system; no parameter has
// changed then. Training goes on until there is one, however large the numbers have become.
//
// # Division of labour
//
// Net holds the dense parameters only. Worker runs a part of a mini-batch: dense features and the pooled vectors in,
// probabilities and the gradients of the pooled vectors out, weight gradients added to a Gradients. RowGrads coalesces the row
// gradients. InitRow makes any embedding row on demand. After a mini-batch, the owner of a row does
//
//	model.Optimiser.Step(state, grad)
//	dlrm.UpdateRow(row, grad, -model.LearningRate)
//
// for each row that the mini-batch has read, and Net.Apply does it for the dense parameters.
//
// A Net may be read by many Workers at once; Workers, Gradients and RowGrads each belong to one goroutine.
package dlrm
