/** The measuring process's parts, without a process. */
package io.lambdafs.benchmarks.micro.driver;
