/**
 * The default transport, on Netty: epoll where the machine has it, else NIO. A frame is four bytes of length (of what follows),
 * one of version, one of kind (request or reply), eight of correlation id, then the codec's bytes. Everything about a connection
 * is done on its event loop, so its tables need no lock; other threads only enqueue, and one wake-up of the loop sends all
 * that waits with one flush. Frames of a batch are collected in one pooled buffer.
 */
@NullMarked
package io.lambdafs.rpc.netty;

import org.jspecify.annotations.NullMarked;
