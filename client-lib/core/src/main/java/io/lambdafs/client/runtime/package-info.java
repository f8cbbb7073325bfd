/**
 * Resources shared by the clients of a process: event loops and threads, and for each cluster its TCP servers and
 * gates. Internal, except {@link io.lambdafs.client.runtime.ClientRuntime}, which programs may create for a custom
 * clock or transports.
 */
@NullMarked
package io.lambdafs.client.runtime;

import org.jspecify.annotations.NullMarked;
