/** Computes the cost of whole deployments while idle. */
@NullMarked
package io.lambdafs.hammer.cost;

import org.jspecify.annotations.NullMarked;
