/**
 * The common part of transports that carry frames over byte streams: frames, requests and replies, limits and shutdown.
 * A frame is four bytes of length (of what follows), one of version, one of kind (request or reply), eight of
 * correlation id, then the codec's bytes. A connection runs on its loop, by one thread at a time, so its tables need no
 * lock; other threads enqueue. Frames of a batch are collected in one buffer. The bytes are moved by {@link
 * io.lambdafs.rpc.framing.Wire}.
 */
@NullMarked
package io.lambdafs.rpc.framing;

import org.jspecify.annotations.NullMarked;
