/** The command {@code lambdafs door}. */
@NullMarked
package io.lambdafs.door.hdfs.command;

import org.jspecify.annotations.NullMarked;
