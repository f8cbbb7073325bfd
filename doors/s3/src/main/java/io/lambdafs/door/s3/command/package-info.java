/** The commands {@code lambdafs door s3} and {@code lambdafs door s3-key}. */
@NullMarked
package io.lambdafs.door.s3.command;

import org.jspecify.annotations.NullMarked;
