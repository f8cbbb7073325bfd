/**
 * The transport on KryoNet, which the paper's implementation used. KryoNet's objects carry pieces of at most 32 KiB of
 * the frames of {@link io.lambdafs.rpc.framing}: no object graph is ever deserialised, and KryoNet's buffering per
 * connection is bounded whatever the frame length. One thread reads for all connections of a listener, and one for each
 * dialled connection; senders use their own threads. A connection's loop is a {@link io.lambdafs.rpc.kryonet.Strand}.
 */
@NullMarked
package io.lambdafs.rpc.kryonet;

import org.jspecify.annotations.NullMarked;
