/** The sums of prices. */
package io.lambdafs.hammer.cost;
