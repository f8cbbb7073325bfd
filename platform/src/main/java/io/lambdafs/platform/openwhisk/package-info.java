/** Registers λFS's functions with anything that speaks Apache OpenWhisk's REST API: the embedded gateway too. */
@NullMarked
package io.lambdafs.platform.openwhisk;

import org.jspecify.annotations.NullMarked;
