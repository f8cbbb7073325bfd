/** The command {@code lambdafs deploy}, and what {@code doctor} says of what it has deployed. */
@NullMarked
package io.lambdafs.deploy.command;

import org.jspecify.annotations.NullMarked;
