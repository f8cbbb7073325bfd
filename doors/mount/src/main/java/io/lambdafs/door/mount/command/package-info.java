/**
 * {@code lambdafs mount}.
 */
@NullMarked
package io.lambdafs.door.mount.command;

import org.jspecify.annotations.NullMarked;
