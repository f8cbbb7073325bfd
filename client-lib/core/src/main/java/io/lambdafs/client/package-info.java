/**
 * The client's public API: {@link io.lambdafs.client.LambdaFs} is asynchronous, {@link
 * io.lambdafs.client.BlockingLambdaFs} blocking; both take a {@link io.lambdafs.client.config.ClientConfig}. Programs
 * use this package, {@code config} and {@code metrics}; the other packages are internal and may change with any
 * release. Each depends only on those before it: {@code tcp} and {@code http} carry requests, {@code sharing} borrows
 * and lends connections, {@code runtime} is shared by the clients of a process, {@code transport} is the hybrid of HTTP
 * and TCP (the paper's §3.2 and §3.4), and {@code call} retries transient failures.
 */
@NullMarked
package io.lambdafs.client;

import org.jspecify.annotations.NullMarked;
