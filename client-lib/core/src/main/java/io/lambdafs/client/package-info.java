/**
 * The client, as programs see it: {@link io.lambdafs.client.LambdaFs} is asynchronous, {@link io.lambdafs.client.BlockingLambdaFs} its
 * blocking face; both take a {@link io.lambdafs.client.config.ClientConfig}. Programs use this package, {@code config} and {@code metrics}; all other packages
 * below are internals, and may change with any release. Each builds only on those before it: {@code tcp} and {@code http} carry requests,
 * {@code sharing} borrows and lends connections, {@code runtime} is what the clients of a process share, {@code transport} is the hybrid of HTTP
 * and TCP (the paper's §3.2 and §3.4), and {@code call} repeats what failed in passing.
 */
@NullMarked
package io.lambdafs.client;

import org.jspecify.annotations.NullMarked;
