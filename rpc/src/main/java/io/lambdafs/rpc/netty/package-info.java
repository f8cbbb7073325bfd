/**
 * The default transport, on Netty: epoll if available, else NIO. Frames are written to the socket as they are. A
 * connection's loop is its event loop: other threads only enqueue, and one wake-up of the loop sends everything queued
 * with one flush.
 */
@NullMarked
package io.lambdafs.rpc.netty;

import org.jspecify.annotations.NullMarked;
