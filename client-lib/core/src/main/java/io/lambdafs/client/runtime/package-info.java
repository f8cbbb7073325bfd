/**
 * What the clients of a process share: event loops and threads, and for each cluster its TCP servers and gates. Internal, but for {@link
 * io.lambdafs.client.runtime.ClientRuntime}, which programs may make for a clock or transports of their own.
 */
@NullMarked
package io.lambdafs.client.runtime;

import org.jspecify.annotations.NullMarked;
