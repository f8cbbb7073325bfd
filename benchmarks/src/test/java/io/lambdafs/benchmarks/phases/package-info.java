/** The experiments in phases over this machine's own file system. */
package io.lambdafs.benchmarks.phases;
