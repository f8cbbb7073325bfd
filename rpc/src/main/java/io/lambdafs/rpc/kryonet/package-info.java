/**
 * The transport on KryoNet, which the paper's implementation used. KryoNet's objects carry stretches of the frames of
 * {@link io.lambdafs.rpc.framing}, of at most 32 KiB each: no object graph is ever made of what a peer sends, and what KryoNet buffers for
 * a connection is bounded however long a frame is. One thread reads for all connections of a listener, and one for each dialled
 * connection; senders use their own thread. A connection's loop is a {@link io.lambdafs.rpc.kryonet.Strand}.
 */
@NullMarked
package io.lambdafs.rpc.kryonet;

import org.jspecify.annotations.NullMarked;
