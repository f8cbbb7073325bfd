/**
 * Open files: what processes of this machine have written to them and the file system has not, and what they read.
 */
@NullMarked
package io.lambdafs.door.mount.files;

import org.jspecify.annotations.NullMarked;
