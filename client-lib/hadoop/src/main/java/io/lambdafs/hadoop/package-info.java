/**
 * λFS as a Hadoop file system, {@code lambdafs://}, with HDFS's semantics: found by service loader, so that FsShell,
 * Spark and other programs need only the jar on their class path and two properties. Small files travel with the
 * metadata.
 */
@NullMarked
package io.lambdafs.hadoop;

import org.jspecify.annotations.NullMarked;
