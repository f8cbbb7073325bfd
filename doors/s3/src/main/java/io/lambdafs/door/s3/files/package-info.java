/** Objects as files: paths, labels and publishing. */
@NullMarked
package io.lambdafs.door.s3.files;

import org.jspecify.annotations.NullMarked;
