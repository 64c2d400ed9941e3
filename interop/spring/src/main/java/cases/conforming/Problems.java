package cases.conforming;

import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** Every failure of Spring MVC becomes a problem detail. */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {}
