/**
 * What a client counts. For programs.
 */
@NullMarked
package io.lambdafs.client.metrics;

import org.jspecify.annotations.NullMarked;
