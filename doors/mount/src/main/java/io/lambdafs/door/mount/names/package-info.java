/**
 * The files and directories that the kernel knows, by its numbers, and where they are now.
 */
@NullMarked
package io.lambdafs.door.mount.names;

import org.jspecify.annotations.NullMarked;
