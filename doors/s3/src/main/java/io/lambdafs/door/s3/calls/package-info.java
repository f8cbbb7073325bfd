/** The answers to calls. */
@NullMarked
package io.lambdafs.door.s3.calls;

import org.jspecify.annotations.NullMarked;
