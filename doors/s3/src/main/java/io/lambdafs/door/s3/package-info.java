/**
 * A door for S3's REST API: buckets are directories, objects are files. Stateless but for the files of a bucket that it
 * hides: what it writes is published by one rename, under the conditions of the call.
 */
@NullMarked
package io.lambdafs.door.s3;

import org.jspecify.annotations.NullMarked;
