/** What the metadata cache takes: bytes for an INode in each of its roles, and how long anybody waits while it is short of memory. */
@NullMarked
package io.lambdafs.benchmarks.memory;

import org.jspecify.annotations.NullMarked;
