/** The command {@code lambdafs deploy}, and the checks of {@code doctor} on its deployments. */
@NullMarked
package io.lambdafs.deploy.command;

import org.jspecify.annotations.NullMarked;
