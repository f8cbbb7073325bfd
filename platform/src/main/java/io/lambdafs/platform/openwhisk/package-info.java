/** Registers λFS's functions with any platform that has Apache OpenWhisk's REST API, the embedded gateway included. */
@NullMarked
package io.lambdafs.platform.openwhisk;

import org.jspecify.annotations.NullMarked;
