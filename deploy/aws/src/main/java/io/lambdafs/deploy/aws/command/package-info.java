/** The command {@code lambdafs aws}. */
@NullMarked
package io.lambdafs.deploy.aws.command;

import org.jspecify.annotations.NullMarked;
