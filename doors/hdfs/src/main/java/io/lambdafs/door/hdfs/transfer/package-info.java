/** Copies trees between the file system and HDFS, or others: {@code lambdafs import} and {@code lambdafs export}. */
@NullMarked
package io.lambdafs.door.hdfs.transfer;

import org.jspecify.annotations.NullMarked;
