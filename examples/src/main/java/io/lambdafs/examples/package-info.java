/** Hadoop jobs whose data is on {@code lambdafs://}, run in this process by Hadoop's local job runner. */
@NullMarked
package io.lambdafs.examples;

import org.jspecify.annotations.NullMarked;
