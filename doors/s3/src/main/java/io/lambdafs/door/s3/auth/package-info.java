/** Access keys, signatures of version 4, and bodies that are signed piece by piece. */
@NullMarked
package io.lambdafs.door.s3.auth;

import org.jspecify.annotations.NullMarked;
