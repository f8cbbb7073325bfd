/** Calls, replies and failures of S3, with their XML. */
@NullMarked
package io.lambdafs.door.s3.wire;

import org.jspecify.annotations.NullMarked;
