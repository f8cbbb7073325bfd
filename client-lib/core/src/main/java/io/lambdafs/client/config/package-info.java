/**
 * The client's configuration: {@link io.lambdafs.client.config.ClientConfig}, created by a builder, from a file or from
 * Hadoop configuration keys. Public API.
 */
@NullMarked
package io.lambdafs.client.config;

import org.jspecify.annotations.NullMarked;
