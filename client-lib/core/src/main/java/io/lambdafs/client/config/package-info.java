/**
 * What a client is told: {@link io.lambdafs.client.config.ClientConfig}, made by a builder, from a file or from keys of Hadoop's
 * configuration. For programs.
 */
@NullMarked
package io.lambdafs.client.config;

import org.jspecify.annotations.NullMarked;
