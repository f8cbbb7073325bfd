/** The numbers of a door, and the pages that show them. */
@NullMarked
package io.lambdafs.door.hdfs.metrics;

import org.jspecify.annotations.NullMarked;
