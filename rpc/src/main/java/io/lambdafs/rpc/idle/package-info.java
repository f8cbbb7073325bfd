/**
 * Idle strategies: when threads spin, yield and park, and for how long. A thread that waits for a reply spins, then
 * parks ({@link io.lambdafs.rpc.idle.SpinThenPark}); an event loop yields before it parks while that pays ({@link
 * io.lambdafs.rpc.idle.Credit}), and spins while a message is near, for as long as its transport is configured to
 * ({@link io.lambdafs.rpc.TransportLimits#lookout}).
 */
@NullMarked
package io.lambdafs.rpc.idle;

import org.jspecify.annotations.NullMarked;
