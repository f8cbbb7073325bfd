/** That the benchmarks run. */
package io.lambdafs.benchmarks;
