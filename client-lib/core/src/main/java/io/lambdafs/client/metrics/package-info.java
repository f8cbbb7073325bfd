/** The client's metrics. Public API. */
@NullMarked
package io.lambdafs.client.metrics;

import org.jspecify.annotations.NullMarked;
