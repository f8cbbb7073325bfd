/** The data transfer protocol: packets of blocks with their checksums, read and written by one connection each. */
@NullMarked
package io.lambdafs.door.hdfs.data;

import org.jspecify.annotations.NullMarked;
