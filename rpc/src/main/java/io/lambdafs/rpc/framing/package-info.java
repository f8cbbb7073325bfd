/**
 * What every transport that carries frames over a stream of bytes has in common: frames, the requests and replies of a connection,
 * its limits and its end. A frame is four bytes of length (of what follows), one of version, one of kind (request or reply), eight of
 * correlation id, then the codec's bytes. Everything about a connection is done on its loop, by one thread at a time, so its tables
 * need no lock; what other threads give it is enqueued. Frames of a batch are collected in one buffer. What moves the bytes
 * is behind {@link io.lambdafs.rpc.framing.Wire}.
 */
@NullMarked
package io.lambdafs.rpc.framing;

import org.jspecify.annotations.NullMarked;
