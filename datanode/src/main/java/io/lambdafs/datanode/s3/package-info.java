/** A block store in a bucket of Amazon S3, or of an object store that speaks its protocol. */
@NullMarked
package io.lambdafs.datanode.s3;

import org.jspecify.annotations.NullMarked;
