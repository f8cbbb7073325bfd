/** The command {@code lambdafs aws}. */
@NullMarked
package io.lambdafs.platform.aws.command;

import org.jspecify.annotations.NullMarked;
