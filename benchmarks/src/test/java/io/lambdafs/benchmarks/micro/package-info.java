/** The measurement of single operations: its arithmetic, and the whole over this machine's own file system. */
package io.lambdafs.benchmarks.micro;
