/** The checks of {@code doctor}: each compares one part of a cluster with what it should be, and advises. */
@NullMarked
package io.lambdafs.cluster.check;

import org.jspecify.annotations.NullMarked;
