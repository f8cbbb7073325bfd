/**
 * λFS beside HDFS: random sequences of the operations of Hadoop's {@code FileSystem}, asked by three users of a NameNode of HDFS and of
 * λFS with a warm cache, a cold one and none. Every answer must be the same, or be listed in {@code docs/HDFS-DIFFERENCES.md}.
 */
@NullMarked
package io.lambdafs.systemtests.hdfs;

import org.jspecify.annotations.NullMarked;
