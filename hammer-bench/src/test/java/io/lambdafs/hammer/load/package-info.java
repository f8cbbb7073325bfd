/** Tests of loads: their options and results. */
package io.lambdafs.hammer.load;
